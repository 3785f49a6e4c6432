import { expect, it } from 'vitest'
import { imageStore } from './image-store.ts'

it('makes a picture once for all who ask', async () => {
  const images = imageStore()
  let made = 0
  const make = async () => Buffer.from(String(++made))
  const answers = await Promise.all([images.get('a', make, 60), images.get('a', make, 60)])
  expect(answers.map(({ body }) => String(body))).toEqual(['1', '1'])
})

it('makes one again that could not be made', async () => {
  const images = imageStore()
  await expect(images.get('a', () => Promise.reject(new Error('no memory')), 60)).rejects.toThrow('no memory')
  expect(await images.get('a', async () => Buffer.from('made'), 60)).toEqual({ body: Buffer.from('made'), maxAge: 60 })
})

it('keeps those that were asked for last', async () => {
  const images = imageStore()
  let made = 0
  const ask = (name: string) => images.get(name, async () => Buffer.from(String(++made)), 60)
  for (let place = 0; place < 200; place += 1) await ask(`${place}`)
  await ask('0')
  await ask('one more')
  expect(String((await ask('0')).body)).toBe('1')
  expect(String((await ask('1')).body)).toBe('202')
})
