import { expect, it } from 'vitest'
import { Places } from './session-place.ts'

it.each([
  ['193.1.1.1', 'Ireland'],
  ['8.8.8.8', 'United States'],
])('the address %s is placed in %s', async (address, country) => {
  expect(await new Places().of(address)).toBe(country)
})

it.each(['127.0.0.1', '10.0.0.1', '172.31.255.255', '192.168.1.1', '169.254.1.1', '203.0.113.9', '255.255.255.255'])(
  'places %s nowhere, which is private or nobody’s',
  async (address) => {
    expect(await new Places().of(address)).toBeNull()
  },
)

it.each(['', 'unknown', '1.2.3', '193.1.1.1, 8.8.8.8', '2001:4860:4860::8888', '::', '::ffff:'])(
  'places %j nowhere, which the list does not know',
  async (text) => {
    expect(await new Places().of(text)).toBeNull()
  },
)

it('several addresses at the same time are placed with one list', async () => {
  const lookup = new Places()
  const places = await Promise.all(['193.1.1.1', '8.8.8.8', '193.1.1.1'].map((address) => lookup.of(address)))
  expect(places).toEqual(['Ireland', 'United States', 'Ireland'])
})
