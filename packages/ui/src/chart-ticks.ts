/** Maximum number of lines of a chart, including the one at zero. */
const MAX_TICKS = 5

/**
 * Chooses the values at which a chart draws its lines: multiples of 1, 2 or 5 times a power of ten, from 0 to the first
 * that is not below the greatest value.
 *
 * @param greatest the greatest value shown, 0 or more
 * @returns ascending, at least two, so that a chart of zeros also has a height
 */
export function chartTicks(greatest: number): number[] {
  if (greatest <= 0) return [0, 1]
  const power = 10 ** Math.floor(Math.log10(greatest))
  const steps = [power / 10, power / 5, power / 2, power, power * 2, power * 5]
  const isEnough = (step: number) => Math.ceil(greatest / step) < MAX_TICKS
  const step = steps.find(isEnough) ?? power * 10
  return Array.from({ length: Math.ceil(greatest / step) + 1 }, (_, place) => Number((place * step).toPrecision(12)))
}
