/** The balls of a draw that arrived while the page was open, counted in the order drawn. */
export interface BallArrivals {
  /** The number of balls when the watching began: those do not fall in. */
  known: number
  /** The latest balls: after the first `from`, up to `to`. None if both are the same. */
  from: number
  to: number
}
