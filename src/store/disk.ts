/**
 * The few file operations that the store rests on, each with errors that name the path and the way out. Everything but
 * `sync` is synchronous: these calls cost microseconds, and nothing else of the process can come in between. Links are
 * never followed in the last part of a path. Tests hand in calls that fail.
 */
import * as nodeFs from "node:fs";
import * as path from "node:path";
import { StateError } from "../errors.ts";

/** What is taken from `node:fs`. */
export interface Calls {
  openSync(path: string, flags: number, mode: number): number;
  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  readFileSync(file: string | number): Buffer;
  readSync(fd: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
  fsync(fd: number, done: (error: Error | null) => void): void;
  fstatSync(fd: number): nodeFs.Stats;
  ftruncateSync(fd: number, length: number): void;
  closeSync(fd: number): void;
  lstatSync(path: string, options: { throwIfNoEntry: false }): nodeFs.Stats | undefined;
  readdirSync(path: string): string[];
  mkdirSync(path: string, mode: number): void;
  renameSync(from: string, to: string): void;
  unlinkSync(path: string): void;
  rmSync(path: string, options: { recursive: boolean }): void;
}

/** Tells one content of a file from another without reading it. */
export interface Mark {
  readonly inode: number;
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface Entry extends Mark {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly mode: number;
}

export interface OpenFile {
  stat(): Mark;
  write(bytes: Uint8Array): void;
  truncate(bytes: number): void;
  sync(): Promise<void>;
  close(): void;
}

export interface Disk {
  /** What is at a path, a link itself included; null when nothing is. */
  look(path: string): Entry | null;
  /** The bytes from an offset on; null when there is no file. */
  read(path: string, from?: number): Buffer | null;
  /** Names in a folder, sorted; none when it is missing. */
  list(path: string): string[];
  /** Makes one folder (0700); false when it is there already. */
  makeFolder(path: string): boolean;
  syncFolder(path: string): Promise<void>;
  /** Opens for appending, made with 0600 when missing. */
  append(path: string): OpenFile;
  /** Makes a file (0600); null when the name is taken. */
  create(path: string): OpenFile | null;
  rename(from: string, to: string): void;
  /** Removes a file; nothing happens when it is gone. */
  remove(path: string): void;
  removeFolder(path: string): void;
}

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = nodeFs.constants;
// Windows knows no such flag.
const noFollow = O_NOFOLLOW ?? 0;

export function createDisk(calls: Calls = nodeFs): Disk {
  return {
    look: (at) => named(at, () => toEntry(calls.lstatSync(at, { throwIfNoEntry: false }))),
    read: (at, from = 0) => unlessMissing(at, () => readFrom(calls, at, from)),
    list: (at) => unlessMissing(at, () => calls.readdirSync(at).sort()) ?? [],
    makeFolder: (at) => unlessTaken(at, () => calls.mkdirSync(at, 0o700)) !== null,
    syncFolder: (at) => syncFolder(calls, at),
    append: (at) =>
      openFile(
        calls,
        at,
        named(at, () => openWith(calls, at, O_APPEND)),
      ),
    create(at) {
      const fd = unlessTaken(at, () => openWith(calls, at, O_EXCL));
      return fd === null ? null : openFile(calls, at, fd);
    },
    rename: (from, to) => named(to, () => calls.renameSync(from, to)),
    remove: (at) => void unlessMissing(at, () => calls.unlinkSync(at)),
    removeFolder: (at) => void unlessMissing(at, () => calls.rmSync(at, { recursive: true })),
  };
}

function openWith(calls: Calls, at: string, flags: number): number {
  return calls.openSync(at, O_WRONLY | O_CREAT | noFollow | flags, 0o600);
}

function openFile(calls: Calls, at: string, fd: number): OpenFile {
  return {
    stat: () => named(at, () => markOf(calls.fstatSync(fd))),
    write(bytes) {
      let written = 0;
      while (written < bytes.length) {
        written += named(at, () => calls.writeSync(fd, bytes, written, bytes.length - written));
      }
    },
    truncate: (bytes) => named(at, () => calls.ftruncateSync(fd, bytes)),
    sync: () => syncFile(calls, at, fd),
    close: () => named(at, () => calls.closeSync(fd)),
  };
}

function readFrom(calls: Calls, at: string, from: number): Buffer {
  const fd = calls.openSync(at, O_RDONLY | noFollow, 0);
  try {
    if (from === 0) return calls.readFileSync(fd);
    const bytes = Buffer.alloc(Math.max(0, calls.fstatSync(fd).size - from));
    let read = 0;
    for (let more = 1; more > 0 && read < bytes.length; read += more) {
      more = calls.readSync(fd, bytes, read, bytes.length - read, from + read);
    }
    return bytes.subarray(0, read);
  } finally {
    calls.closeSync(fd);
  }
}

function syncFile(calls: Calls, at: string, fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    calls.fsync(fd, (error) => (error === null ? resolve() : reject(explain(error, at))));
  });
}

/** Makes new names in a folder durable, where the system can do that. */
async function syncFolder(calls: Calls, at: string): Promise<void> {
  if (process.platform === "win32") return;
  const fd = named(at, () => calls.openSync(at, O_RDONLY, 0));
  try {
    await syncFile(calls, at, fd);
  } finally {
    calls.closeSync(fd);
  }
}

function toEntry(stats: nodeFs.Stats | undefined): Entry | null {
  if (stats === undefined) return null;
  const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other";
  return { kind, mode: stats.mode & 0o777, ...markOf(stats) };
}

function markOf(stats: nodeFs.Stats): Mark {
  return { inode: stats.ino, bytes: stats.size, modifiedMs: stats.mtimeMs };
}

export function isSameMark(one: Mark | null, other: Mark | null): boolean {
  if (one === null || other === null) return one === other;
  return one.inode === other.inode && one.bytes === other.bytes && one.modifiedMs === other.modifiedMs;
}

function named<T>(at: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw explain(error, at);
  }
}

function unlessMissing<T>(at: string, call: () => T): T | null {
  return unless("ENOENT", at, call);
}

function unlessTaken<T>(at: string, call: () => T): T | null {
  return unless("EEXIST", at, call);
}

function unless<T>(expected: string, at: string, call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    if (codeOf(error) === expected) return null;
    throw explain(error, at);
  }
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** What went wrong with a path, as a person has to know it; anything that is no fault of the file system stays itself. */
export function explain(error: unknown, at: string): unknown {
  const code = codeOf(error);
  if (code === null || error instanceof StateError) return error;
  const fault = faultOf(code, at);
  return new StateError(fault.code, `${at}: ${fault.message} (${code}).`, { next: fault.next, cause: error });
}

function faultOf(code: string, at: string): { code: string; message: string; next: string } {
  const again = "then run the same command again: nothing is lost";
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return { code: "disk-full", message: "there is no space left", next: `Free some space, ${again}.` };
    case "EROFS":
      return {
        code: "disk-read-only",
        message: "the file system is read-only",
        next: "Work in a folder that can be written: --cwd DIR.",
      };
    case "EACCES":
    case "EPERM":
      return {
        code: "disk-denied",
        message: "permission is denied",
        next: `Give your user read and write permission on ${path.dirname(at)}, ${again}.`,
      };
    case "EISDIR":
    case "ENOTDIR":
    case "EEXIST":
    case "ENOTEMPTY":
      return {
        code: "disk-obstructed",
        message: "something of another kind is in its place",
        next: `Move what is in the way of ${at}, ${again}.`,
      };
    case "ELOOP":
      return {
        code: "link-refused",
        message: "a symbolic link is not followed here",
        next: "Put a real file or folder in its place.",
      };
    case "ENAMETOOLONG":
      return { code: "disk-name", message: "the name is too long", next: "Choose a shorter session id." };
    default:
      return { code: "disk-error", message: "the file system refused", next: `Look at the disk, ${again}.` };
  }
}
