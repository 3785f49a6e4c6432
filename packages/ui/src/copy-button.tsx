import { useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'
import { useTimers } from './timers.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

/** Time for which the button says "Copied", in ms (specification, section 9). */
const COPIED_MS = 650

/** Copies `text` to the clipboard as it is, without the spaces of its display, and says "Copied" for 650 ms. */
export function CopyButton({
  text,
  label,
}: {
  text: string
  /** Name of the copied text: "address" gives the label "Copy address". */ label: string
}) {
  const [copied, setCopied] = useState(false)
  const timers = useTimers()
  const cancel = useRef<() => void>(null)
  useEffect(() => () => cancel.current?.(), [])

  const copy = async () => {
    if (!(await writeToClipboard(text))) return
    setCopied(true)
    cancel.current?.()
    cancel.current = timers.after(COPIED_MS, () => setCopied(false))
  }

  return (
    <>
      <Button
        variant="soft"
        size="small"
        aria-label={copied ? 'Copied' : `Copy ${label}`}
        icon={copied ? <CheckIcon size={18} /> : <CopyIcon size={18} />}
        onClick={() => void copy()}
      >
        {copied ? 'Copied' : 'Copy'}
      </Button>
      <VisuallyHidden live>{copied ? 'Copied' : ''}</VisuallyHidden>
    </>
  )
}

/**
 * @returns whether the text is in the clipboard. Browsers refuse the clipboard outside of HTTPS and localhost, but the
 *   old command still works there.
 */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
