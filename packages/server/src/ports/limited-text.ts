/**
 * Reads an answer from outside as text, never more than a limit of it: whoever answers may be broken, or may not mean well.
 *
 * @param limit.largest in bytes
 * @param limit.tooLarge makes what is thrown for a larger one
 * @param limit.signal thrown with its reason between two pieces once it is aborted
 */
export async function limitedText(
  response: Response,
  limit: { readonly largest: number; readonly tooLarge: () => Error; readonly signal?: AbortSignal },
): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // The body's type leaves out that fetch gives bytes.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    limit.signal?.throwIfAborted()
    size += chunk.length
    if (size > limit.largest) throw limit.tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
