/** Files that are either the old one or the new one, whatever happens in between. */
import type { Disk, Mark, OpenFile } from "./disk.ts";
import { pathIn, prepareFile } from "./layout.ts";
import type { Site } from "./site.ts";

/**
 * Replaces a file of the session, or makes it (0600): written beside it, made durable, renamed over it. The caller holds
 * the lock, so the name beside it is nobody else's; one that a crash left there is thrown away.
 */
export async function replaceFile({ disk, session }: Site, path: string, content: string | Buffer): Promise<Mark> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  const temporary = `${folder}/.${path.slice(folder.length + 1)}.tmp`;
  await prepareFile(disk, session, path);
  const beside = pathIn(session, temporary);
  const file = createAnew(disk, beside);
  let mark: Mark;
  try {
    try {
      file.write(Buffer.from(content));
      await file.sync();
      mark = file.stat();
    } finally {
      file.close();
    }
    disk.rename(beside, pathIn(session, path));
  } catch (error) {
    discard(() => disk.remove(beside));
    throw error;
  }
  return mark;
}

function createAnew(disk: Disk, path: string): OpenFile {
  const file = disk.create(path);
  if (file !== null) return file;
  disk.remove(path);
  const again = disk.create(path);
  if (again === null) throw new Error(`${path} came back`);
  return again;
}

/** Frees the space of a failed write; the first error is the one to tell. */
function discard(remove: () => void): void {
  try {
    remove();
  } catch {
    // The next write removes it.
  }
}
