import { encode } from 'uqr'
import styles from './qr-code.module.css'

/** Width of the white margin around a code, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** A QR code, ink on white in both themes. It is drawn as one SVG path, so no markup is injected. */
export function QrCode({
  text,
  label,
}: {
  text: string
  /** A description of its content for assistive technology. */ label: string
}) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  return (
    <svg
      className={styles['code']}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(data)} fill="#1c1433" />
    </svg>
  )
}

/** One rectangle per run of dark modules in a row. */
function pathOf(rows: boolean[][]): string {
  const runs: string[] = []
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== true) continue
      const start = x
      while (row[x] === true) x++
      runs.push(`M${start} ${y}h${x - start}v1h${start - x}z`)
    }
  })
  return runs.join('')
}
