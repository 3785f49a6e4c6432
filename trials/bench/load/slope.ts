/** The slope of the least-squares line through points: the growth of `y` per unit of `x`. */
export function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): number {
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length
  const above = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0)
  const below = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  return above / below
}
