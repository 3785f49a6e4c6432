/** How many pictures are kept; each is about 90 kB. */
const IMAGES_KEPT = 200

/** A picture, and for how many seconds others may keep it. */
export interface Image {
  readonly body: Buffer
  readonly maxAge: number
}

/**
 * Makes each picture once; of many, the one nobody has asked for longest goes first. One that could not be made is made again
 * for the next who asks.
 */
export function imageStore() {
  const kept = new Map<string, Promise<Buffer>>()
  return {
    async get(name: string, make: () => Promise<Buffer>, maxAge: number): Promise<Image> {
      const body = kept.get(name) ?? make()
      kept.delete(name)
      kept.set(name, body)
      const [oldest] = kept.keys()
      if (kept.size > IMAGES_KEPT && oldest !== undefined) kept.delete(oldest)
      try {
        return { body: await body, maxAge }
      } catch (error) {
        if (kept.get(name) === body) kept.delete(name)
        throw error
      }
    },
  }
}
