/**
 * Answers a text piece by piece: the next piece is asked for when the reader has taken the one before, and none
 * after the reader has left.
 *
 * @param fileName for the browser's "save as"
 */
export async function textStream(
  pieces: AsyncGenerator<string>,
  { type, fileName }: { type: string; fileName: string },
): Promise<Response> {
  const encoder = new TextEncoder();
  // The first piece is read before the answer begins: an error of the request is still an error then.
  let first: IteratorResult<string> | null = await pieces.next();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = first ?? (await pieces.next());
        first = null;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store, no-transform",
    },
  });
}
