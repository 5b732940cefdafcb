/** Where the files that ship beside the code are: the folder that holds `prompts/`, in the source tree and in a build. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The nearest folder above `from` (a file URL) that holds the prompts. */
export function findPackageRoot(from: string = import.meta.url): string {
  let folder = dirname(fileURLToPath(from));
  while (!existsSync(join(folder, "prompts", "_contract.md"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("the package's prompts folder is missing: the installation is incomplete");
    folder = parent;
  }
  return folder;
}
