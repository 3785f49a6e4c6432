/** So many simulations go on side by side: while one waits for the database another one thinks. Each has a database of its own. */
const LANES = 3

/** Does `work` for each item, some at a time, in the order of the items; none is begun any more once `isOver`. */
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
