/** Streams text: the next piece is requested when the reader has taken the last, and none after the reader has left. */
export async function textStream(
  pieces: AsyncGenerator<string>,
  { type, fileName }: { type: string; fileName: string },
): Promise<Response> {
  const encoder = new TextEncoder();
  // Read before the answer begins: an error is still an error of the request then.
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
