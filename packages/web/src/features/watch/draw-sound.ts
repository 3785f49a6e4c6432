/** The sounds of a draw. */
export interface DrawSound {
  /** A ball drops into its place. @param place counted from 1; each sounds a little higher than the one before */
  ball: (place: number) => void
  /** All balls are drawn and the prizes known. */
  end: () => void
}

/** The lowest tone of a ball, and how much higher the next one is. */
const BALL_HZ = 392
const STEP = 2 ** (2 / 12)
const END_HZ = [523.25, 659.25, 783.99]
/** The loudest any tone gets: quiet enough beside music. */
const LOUDEST = 0.16

/**
 * Makes the sounds with the browser's own oscillators; nothing is loaded.
 *
 * @param context opened by a press, as browsers require
 */
export function createDrawSound(context: AudioContext): DrawSound {
  return {
    ball(place) {
      const hz = BALL_HZ * STEP ** (place - 1)
      // The knock of the ball, then its tone.
      tone(context, { hz: hz / 3, after: 0, seconds: 0.07, type: 'triangle' })
      tone(context, { hz, after: 0.03, seconds: 0.35, type: 'sine' })
    },
    end() {
      for (const [index, hz] of END_HZ.entries()) tone(context, { hz, after: index * 0.14, seconds: 0.6, type: 'sine' })
    },
  }
}

function tone(
  context: AudioContext,
  { hz, after, seconds, type }: { hz: number; after: number; seconds: number; type: OscillatorType },
): void {
  const from = context.currentTime + after
  const gain = context.createGain()
  // A sudden start or end would click.
  gain.gain.setValueAtTime(0.0001, from)
  gain.gain.exponentialRampToValueAtTime(LOUDEST, from + 0.012)
  gain.gain.exponentialRampToValueAtTime(0.0001, from + seconds)
  gain.connect(context.destination)
  const oscillator = context.createOscillator()
  oscillator.type = type
  oscillator.frequency.setValueAtTime(hz, from)
  oscillator.connect(gain)
  oscillator.start(from)
  oscillator.stop(from + seconds)
}
