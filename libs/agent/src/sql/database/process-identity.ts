import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from './sql-errors';

/** The identity of a process among all processes that can reach a folder. */
export interface ProcessIdentity {
  /** The scope of its `pid`: a boot of a kernel, and a container's PID namespace. */
  readonly machine: string;
  readonly pid: number;
  /** Distinguishes it from a later process with the same `pid`; empty if the system cannot tell. */
  readonly startedAt: string;
}

export function ownIdentity(): ProcessIdentity {
  const { pid } = process;
  return { machine: machineName(), pid, startedAt: statOf(pid)?.startedAt ?? '' };
}

/**
 * Whether a process still exists; a stopped one does, a killed one does not.
 *
 * @returns `undefined` if that cannot be determined from here
 */
export function isAlive({ machine, pid, startedAt }: ProcessIdentity): boolean | undefined {
  if (machine !== machineName()) return undefined;
  if (!hasProcess(pid)) return false;
  const stat = statOf(pid);
  if (stat === undefined || startedAt === '') return undefined;
  return !stat.isDead && stat.startedAt === startedAt;
}

function machineName(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It exists, and belongs to another user.
    return codeOf(error) === 'EPERM';
  }
}

/** Linux only: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statOf(pid: number): { readonly isDead: boolean; readonly startedAt: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the name, may contain anything.
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { isDead: 'ZXx'.includes(state), startedAt: rest[18] ?? '' };
  } catch {
    return undefined;
  }
}
