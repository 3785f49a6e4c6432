/**
 * Waits until all have ended.
 *
 * @returns their values
 * @throws the error of the first one in the list that failed, whichever failed first
 */
export async function allInOrder<T extends readonly unknown[] | []>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(works)
  return await Promise.all(works)
}
