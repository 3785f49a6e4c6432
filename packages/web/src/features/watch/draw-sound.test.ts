import { describe, expect, it } from 'vitest'
import { createDrawSound } from './draw-sound.ts'

/** The played tones: pitch, beginning and end of each. */
function listen() {
  const tones: { hz: number; from: number; to: number; loudest: number }[] = []
  let loudest = 0
  const context = {
    currentTime: 10,
    destination: {},
    createGain: () => ({
      gain: {
        setValueAtTime: () => {},
        exponentialRampToValueAtTime: (value: number) => (loudest = Math.max(loudest, value)),
      },
      connect: () => {},
    }),
    createOscillator: () => {
      const played = { hz: 0, from: 0, to: 0, loudest: 0 }
      tones.push(played)
      return {
        type: 'sine',
        frequency: { setValueAtTime: (hz: number) => (played.hz = hz) },
        connect: () => {},
        start: (at: number) => (played.from = at),
        stop: (at: number) => Object.assign(played, { to: at, loudest }),
      }
    },
  }
  // The parts that the sounds use.
  return { sound: createDrawSound(context as unknown as AudioContext), tones }
}

describe('the sounds of a draw', () => {
  it('sounds are short and quiet', () => {
    const { sound, tones } = listen()
    sound.ball(1)
    sound.end()
    for (const { from, to, loudest } of tones) {
      expect(from).toBeGreaterThanOrEqual(10)
      expect(to - from).toBeLessThan(1)
      expect(loudest).toBeLessThan(0.2)
    }
  })

  it('sounds rise from ball to ball', () => {
    const { sound, tones } = listen()
    for (const place of [1, 2, 3]) sound.ball(place)
    const pitches = tones.filter((_, index) => index % 2 === 1).map(({ hz }) => hz)
    expect(pitches).toEqual(pitches.toSorted((a, b) => a - b))
    expect(new Set(pitches).size).toBe(3)
  })
})
