import { Program } from './program';
import { DemoClient } from './demo-client';
import { freePort } from '../free-port';

/** The built demo in a process of its own, and a client of it. */
export class DemoProgram extends DemoClient {
  private constructor(
    readonly program: Program,
    address: string,
  ) {
    super(address);
  }

  /** Resolves once the demo listens. `environment` names at least where its sessions are. */
  static async start(
    entry: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<DemoProgram> {
    const port = await freePort();
    const program = Program.start(entry, [], { PORT: String(port), ...environment });
    await program.printed(`The demo listens on http://127.0.0.1:${port}`);
    return new DemoProgram(program, `http://127.0.0.1:${port}`);
  }
}
