// Runs in each measured page before its own scripts, and keeps what the browser reports: durations of presses, shifts of
// the layout, the largest paint, and how long a ball of a live draw takes from its event to the next paint.
;(() => {
  const figures = { presses: [], clicks: 0, shift: 0, shifted: [], largestMs: 0, largest: '', named: {}, balls: [] }
  window.benchFigures = figures

  const observe = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options })

  // Each event of a press (down, up, click) has the press's number.
  const press = ({ interactionId, duration }) => interactionId > 0 && figures.presses.push(duration)
  addEventListener('click', () => (figures.clicks += 1), { capture: true, passive: true })
  observe('event', press, { durationThreshold: 16 })
  observe('largest-contentful-paint', ({ startTime, element }) => {
    figures.largestMs = startTime
    figures.largest = nameOf(element)
  })

  observe('element', ({ identifier, renderTime }) => (figures.named[identifier] ??= renderTime))

  // Shifts within a second of each other, and five seconds in all, are one; the largest counts.
  let [sum, firstMs, lastMs] = [0, 0, 0]
  observe('layout-shift', (entry) => {
    if (entry.hadRecentInput) return
    if (entry.startTime - lastMs > 1000 || entry.startTime - firstMs > 5000) [sum, firstMs] = [0, entry.startTime]
    sum += entry.value
    lastMs = entry.startTime
    figures.shift = Math.max(figures.shift, sum)
    for (const { node } of entry.sources) figures.shifted.push(nameOf(node))
  })

  function nameOf(node) {
    const element = node?.nodeType === 1 ? node : node?.parentElement
    return element
      ? `${element.tagName.toLowerCase()} “${element.textContent.trim().slice(0, 30)}”`
      : 'something removed'
  }

  const listen = EventSource.prototype.addEventListener
  EventSource.prototype.addEventListener = function (type, handler, ...options) {
    if (type !== 'watch') return listen.call(this, type, handler, ...options)
    const measured = (event) => {
      const atMs = performance.now()
      handler.call(this, event)
      const { draw } = JSON.parse(event.data)
      const shown = draw.filter((number) => typeof number === 'number').length
      // After the frame's callbacks comes its paint, and after that the message.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => figures.balls.push({ shown, ms: performance.now() - atMs })
        port2.postMessage(null)
      })
    }
    return listen.call(this, type, measured, ...options)
  }
})()
