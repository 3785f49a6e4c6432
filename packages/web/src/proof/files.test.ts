import { RemoteError } from '@fairball/domain/protocol/remote-log'
import { expect, it } from 'vitest'
import { readLog } from './files.ts'

/** Reads a file with a browser whose cache has an older one. @returns what was read, and how often it was asked for */
async function readWithOldCache(read: (file: string) => string, fits?: (found: string) => boolean) {
  const asked: (RequestCache | undefined)[] = []
  const fetch: typeof globalThis.fetch = async (_address, init) => {
    asked.push(init?.cache)
    return new Response(init?.cache === 'reload' ? 'new' : 'old')
  }
  const found = readLog(
    { fetch },
    async (get) => read(new TextDecoder().decode((await get('file')) ?? undefined)),
    fits,
  )
  return { asked, found: await found }
}

const wanted = (file: string): string => {
  if (file === 'old') throw new RemoteError('The file does not lead to the head.')
  return file
}

it('files that do not fit the head are fetched past the browser’s cache', async () => {
  expect(await readWithOldCache(wanted)).toEqual({ asked: ['default', 'reload'], found: 'new' })
})

it('files that do not fit each other are fetched past the browser’s cache, once', async () => {
  const isNew = (found: string): boolean => found === 'new'
  expect(await readWithOldCache((file) => file, isNew)).toEqual({ asked: ['default', 'reload'], found: 'new' })
  expect(
    await readWithOldCache(
      (file) => file,
      () => false,
    ),
  ).toEqual({ asked: ['default', 'reload'], found: 'new' })
})

it('files that fit are fetched once', async () => {
  expect(await readWithOldCache((file) => file)).toEqual({ asked: ['default'], found: 'old' })
})
