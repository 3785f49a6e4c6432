/**
 * Records that an order was paid, according to its page: from then on its plays have to be in their draws.
 *
 * @param seenAt epoch seconds
 */
export async function rememberPaidOrder(transactionId: string, seenAt: number): Promise<void> {
  const [{ keptStore }, { rememberPaid }] = await Promise.all([import('./kept-store.ts'), import('./own-papers.ts')])
  await rememberPaid(keptStore(), { transactionId }, seenAt)
}
