/**
 * Reads an outside answer as text, up to a limit: the server may be broken or malicious.
 *
 * @param limit.largest in bytes
 * @param limit.tooLarge makes the error for a larger one
 * @param limit.signal if aborted, its reason is thrown between two pieces
 */
export async function limitedText(
  response: Response,
  limit: { readonly largest: number; readonly tooLarge: () => Error; readonly signal?: AbortSignal },
): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // The body's type does not say that fetch returns bytes.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    limit.signal?.throwIfAborted()
    size += chunk.length
    if (size > limit.largest) throw limit.tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
