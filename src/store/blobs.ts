/** Raw oversized material (D1.3), kept by the hash of its bytes beside the state; no prompt and no state holds it. */
import { StateError } from "../errors.ts";
import { checkIn, pathIn } from "./layout.ts";
import { sha256 } from "./line.ts";
import { replaceFile } from "./replacement.ts";
import { placeOf, type Site, withLock } from "./site.ts";

function blobFile(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error("a blob is named by 64 hexadecimal digits");
  return `state/blobs/${hash}`;
}

/** Keeps a text; the same text is kept once. */
export async function putBlob(site: Site, text: string): Promise<{ sha256: string }> {
  const bytes = Buffer.from(text);
  const hash = sha256(bytes);
  const path = blobFile(hash);
  checkIn(site.disk, site.session, path);
  const present = site.disk.read(pathIn(site.session, path));
  if (present === null || !present.equals(bytes)) await withLock(site, () => replaceFile(site, path, bytes));
  return { sha256: hash };
}

/** @throws StateError for a blob that is missing, or is not what its name says. */
export function getBlob(site: Site, hash: string): string {
  const path = blobFile(hash);
  checkIn(site.disk, site.session, path);
  const bytes = site.disk.read(pathIn(site.session, path));
  if (bytes !== null && sha256(bytes) === hash) return bytes.toString("utf8");
  const place = placeOf(site, path);
  const reason = bytes === null ? "is missing" : "does not match its name";
  throw new StateError(bytes === null ? "blob-missing" : "blob-corrupt", `${place.path} ${reason}.`, {
    next: "Put it back from a copy; the interview itself goes on without it.",
  });
}
