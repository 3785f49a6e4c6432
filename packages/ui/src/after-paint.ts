/**
 * Calls once the browser has shown the page as it is now: what a press leads to is seen before more work is done.
 *
 * @returns a function that cancels the call
 */
export function afterPaint(call: () => void): () => void {
  // Within a frame its paint is still to come: the next one begins after that.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(call)
  })
  return () => cancelAnimationFrame(frame)
}
