import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { find, press, render } from '@fairball/ui/testing/render.tsx'
import type { Rendered } from '@fairball/ui/testing/render.tsx'
import { SoundToggle } from './components/sound-toggle.tsx'
import type { Arrivals } from './use-arrivals.ts'

/** The frequencies of the started oscillators, in Hz, and the number of opened audio contexts. */
const played = { tones: [] as number[], contexts: 0 }
const BALL_1 = [130.67, 392]
const BALL_2 = [146.67, 440.01]
const END = [523.25, 659.25, 783.99]

class SilentAudio {
  readonly currentTime = 0
  readonly destination = {}
  constructor() {
    played.contexts += 1
  }
  resume = () => Promise.resolve()
  createGain = () => ({
    gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} },
    connect: () => {},
  })
  createOscillator = () => ({
    type: '',
    frequency: { setValueAtTime: (hz: number) => void played.tones.push(Math.round(hz * 100) / 100) },
    connect: () => {},
    start: () => {},
    stop: () => {},
  })
}

const NOTHING: Arrivals = { known: 0, from: 0, to: 0, prizes: false }
let rendered: Rendered
let show: (arrivals: Arrivals) => Promise<void>

beforeEach(async () => {
  vi.resetModules() // a page opens one audio context, so each test is a separate page
  localStorage.clear()
  Object.assign(played, { tones: [], contexts: 0 })
  vi.stubGlobal('AudioContext', SilentAudio)
})
afterEach(() => {
  rendered.unmount()
  vi.unstubAllGlobals()
})

async function open(): Promise<void> {
  const { useDrawSound } = await import('./use-draw-sound.ts')
  function Page({ arrivals }: { arrivals: Arrivals }) {
    const { isOn, toggle } = useDrawSound(arrivals)
    return <SoundToggle isOn={isOn} onToggle={toggle} />
  }
  rendered = render(<Page arrivals={NOTHING} />)
  show = async (arrivals) => {
    rendered.rerender(<Page arrivals={arrivals} />)
    await settled()
  }
}

const settled = () => act(() => vi.dynamicImportSettled())
const toggle = () => find('button')

describe('the sound of the draws', () => {
  it('the sound is off until it is turned on, and creates nothing before', async () => {
    await open()
    expect(toggle().getAttribute('aria-pressed')).toBe('false')
    await press(document.body)
    await show({ ...NOTHING, to: 1 })
    expect([played.tones, played.contexts]).toEqual([[], 0])
  })

  it('the sound plays each new ball and the end, and stops once it is turned off', async () => {
    await open()
    await press(toggle())
    await settled()
    expect(toggle().getAttribute('aria-pressed')).toBe('true')
    await show({ ...NOTHING, to: 1 })
    await show({ ...NOTHING, from: 1, to: 2 })
    await show({ ...NOTHING, from: 1, to: 2, prizes: true })
    expect(played.tones).toEqual([...BALL_1, ...BALL_2, ...END])
    await press(toggle())
    await show({ ...NOTHING, from: 2, to: 3, prizes: true })
    expect(played.tones).toEqual([...BALL_1, ...BALL_2, ...END])
  })

  it('the sound is remembered in this browser, and still waits for a first press', async () => {
    localStorage.setItem('fairball.draw-sound', 'on')
    await open()
    expect(toggle().getAttribute('aria-pressed')).toBe('true')
    await show({ ...NOTHING, to: 1 })
    expect([played.tones, played.contexts]).toEqual([[], 0])
    act(() => void document.dispatchEvent(new Event('pointerdown')))
    await settled()
    await show({ ...NOTHING, from: 1, to: 2 })
    expect([played.tones, played.contexts]).toEqual([BALL_2, 1])
  })

  it('the sound stays silent in a browser without audio', async () => {
    vi.stubGlobal('AudioContext', undefined)
    await open()
    await press(toggle())
    await show({ ...NOTHING, to: 1 })
    expect(played.tones).toEqual([])
  })
})
