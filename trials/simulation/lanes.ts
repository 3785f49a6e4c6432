/**
 * Number of simulations that run in parallel, each on its own database: one computes while another waits for the
 * database.
 */
const LANES = 3

/** Runs `work` for each item in order, a few at a time; none starts once `isOver`. */
export async function inLanes<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const waiting = items[Symbol.iterator]()
  const lane = async (): Promise<void> => {
    for (const item of waiting) {
      if (isOver()) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}
