import { readCommandLine } from "#lib/flows/installation/served-files";
import { problemResponse } from "#lib/http/problem";

/** The command line as a package, for `npx` and `npm install` (docs/cli.md). Public: it holds no data. */
export async function GET(_request: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  try {
    const content = await readCommandLine((await params).file);
    return new Response(new Uint8Array(content), {
      headers: { "content-type": "application/gzip", "cache-control": "public, max-age=3600" },
    });
  } catch (error) {
    return problemResponse(error);
  }
}
