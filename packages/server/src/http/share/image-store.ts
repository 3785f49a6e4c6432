/** Maximum number of cached pictures; each is about 90 kB. */
const IMAGES_KEPT = 200

/** A picture, and for how many seconds others may cache it. */
export interface Image {
  readonly body: Buffer
  readonly maxAge: number
}

/**
 * Makes each picture once; the least recently requested one is dropped first. A picture that could not be made is
 * retried at the next request.
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
