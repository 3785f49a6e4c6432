import { expect, it } from 'vitest'
import { imageStore } from './image-store.ts'

it('a picture is made once for concurrent requests', async () => {
  const images = imageStore()
  let made = 0
  const make = async () => Buffer.from(String(++made))
  const answers = await Promise.all([images.get('a', make, 60), images.get('a', make, 60)])
  expect(answers.map(({ body }) => String(body))).toEqual(['1', '1'])
})

it('a picture that could not be made is retried', async () => {
  const images = imageStore()
  await expect(images.get('a', () => Promise.reject(new Error('no memory')), 60)).rejects.toThrow('no memory')
  expect(await images.get('a', async () => Buffer.from('made'), 60)).toEqual({ body: Buffer.from('made'), maxAge: 60 })
})

it('the most recently requested pictures are kept', async () => {
  const images = imageStore()
  let made = 0
  const ask = (name: string) => images.get(name, async () => Buffer.from(String(++made)), 60)
  for (let place = 0; place < 200; place += 1) await ask(`${place}`)
  await ask('0')
  await ask('one more')
  expect(String((await ask('0')).body)).toBe('1')
  expect(String((await ask('1')).body)).toBe('202')
})
