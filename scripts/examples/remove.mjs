import { rmSync } from 'node:fs';

export default function remove() {
  rmSync(process.env.EXAMPLES_FOLDER, { recursive: true, force: true });
}
