import * as nodeFs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { StateError } from "../../src/errors.ts";
import { createDisk, explain, isSameMark } from "../../src/store/disk.ts";
import { createPlace, write } from "./place.ts";

const disk = createDisk();

describe("faults of a file system", () => {
  it.each([
    ["ENOSPC", "disk-full"],
    ["EDQUOT", "disk-full"],
    ["EROFS", "disk-read-only"],
    ["EACCES", "disk-denied"],
    ["EPERM", "disk-denied"],
    ["EISDIR", "disk-obstructed"],
    ["ENOTDIR", "disk-obstructed"],
    ["ELOOP", "link-refused"],
    ["ENAMETOOLONG", "disk-name"],
    ["EIO", "disk-error"],
  ])("%s is %s, with the path, the cause and the way out", (code, expected) => {
    const cause = Object.assign(new Error("x"), { code });
    const error = explain(cause, "some/file");
    expect(error).toBeInstanceOf(StateError);
    expect(error).toMatchObject({ code: expected, exitCode: 6, cause, next: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(String(error)).toContain(`some/file: `);
    expect(String(error)).toContain(`(${code})`);
  });

  it("are told apart from faults of the program, which stay what they are", () => {
    const bug = new TypeError("x");
    expect(explain(bug, "f")).toBe(bug);
    const told = new StateError("locked", "x");
    expect(explain(told, "f")).toBe(told);
  });
});

describe("the disk", () => {
  it("looks at a link itself, and neither reads nor writes through it", () => {
    const root = createPlace();
    write(root, "file", "content");
    nodeFs.symlinkSync(join(root, "file"), join(root, "link"));
    expect(disk.look(join(root, "link"))?.kind).toBe("link");
    expect(() => disk.read(join(root, "link"))).toThrow("symbolic link");
    expect(() => disk.append(join(root, "link"))).toThrow("symbolic link");
    expect(disk.create(join(root, "link"))).toBeNull();
  });

  it("writes everything where the system takes only a part at a time", () => {
    const root = createPlace();
    const slow = createDisk({
      ...nodeFs,
      writeSync: (fd, bytes, offset, length) => nodeFs.writeSync(fd, bytes, offset, Math.min(7, length)),
    });
    const file = slow.append(join(root, "file"));
    file.write(Buffer.from("a text of more than seven bytes"));
    file.close();
    expect(disk.read(join(root, "file"))?.toString()).toBe("a text of more than seven bytes");
    expect(disk.read(join(root, "file"), 26)?.toString()).toBe("bytes");
    expect(disk.read(join(root, "file"), 99)?.length).toBe(0);
  });

  it("says nothing of what is not there", () => {
    const root = createPlace();
    const path = join(root, "nothing");
    expect([disk.look(path), disk.read(path), disk.list(path)]).toEqual([null, null, []]);
    expect(() => disk.remove(path)).not.toThrow();
    expect([disk.makeFolder(path), disk.makeFolder(path)]).toEqual([true, false]);
  });

  it("tells contents apart by inode, length and time", () => {
    const mark = { inode: 1, bytes: 2, modifiedMs: 3 };
    expect(isSameMark(mark, { ...mark })).toBe(true);
    for (const key of ["inode", "bytes", "modifiedMs"]) expect(isSameMark(mark, { ...mark, [key]: 9 })).toBe(false);
    expect([isSameMark(null, null), isSameMark(mark, null)]).toEqual([true, false]);
  });
});
