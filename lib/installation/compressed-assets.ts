import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const STATIC = ".next/static";
const SUFFIX = ".br";
const TYPES: Record<string, string> = { ".js": "application/javascript; charset=UTF-8", ".css": "text/css; charset=UTF-8" };

const compress = promisify(brotliCompress);

/** Writes each script and stylesheet of a build compressed beside it: as the build is made there is time for the smallest. */
export async function compressAssets(root: string): Promise<void> {
  const files = listFiles(root).filter((file) => path.extname(file) in TYPES);
  await Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(root, STATIC, file));
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
      await writeFile(path.join(root, STATIC, `${file}${SUFFIX}`), await compress(text, { params }));
    }),
  );
}

export type CompressedAsset = { body: Buffer; type: string };

/** Reads what `compressAssets` wrote, by the path of its URL: some 1.2 MB, kept in memory. Empty in development. */
export function readCompressedAssets(root: string): Map<string, CompressedAsset> {
  const files = listFiles(root).filter((file) => file.endsWith(SUFFIX));
  return new Map(
    files.map((file) => {
      const name = file.slice(0, -SUFFIX.length).replaceAll(path.sep, "/");
      const asset = { body: readFileSync(path.join(root, STATIC, file)), type: TYPES[path.extname(name)] ?? "" };
      return [`/_next/static/${name}`, asset];
    }),
  );
}

function listFiles(root: string): string[] {
  const folder = path.join(root, STATIC);
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
}
