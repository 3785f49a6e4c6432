import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { PointerEvent, ReactNode, SyntheticEvent } from 'react'
import { createPortal } from 'react-dom'
import { afterPaint } from './after-paint.ts'
import { IconButton } from './icon-button.tsx'
import { CloseIcon } from './basic-icons.tsx'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'

/** Props of {@link Dialog}. */
interface DialogProps {
  isOpen: boolean
  /** Called by Escape, a press on the background, or the close button. */
  onClose: () => void
  /** Called once it is gone and the focus is back. */
  onGone?: () => void
  title: string
  /** Beside the title, such as "4 of 6"; replaces the close button's place on its left. */
  aside?: ReactNode
  /**
   * Buttons at the foot; they stay in view while the content scrolls. One with `data-first-focus` gets the first focus.
   */
  footer?: ReactNode
  world?: string | undefined
  /** Shows a close button in the corner. Default true; the picker has none. */
  closeButton?: boolean
  children: ReactNode
}

/**
 * A dialog 600 px wide; on phones a sheet at the bottom. It is the browser's own modal dialog: the page behind cannot be reached, Escape and a
 * phone's back gesture close it, and the focus goes back where it was.
 *
 * It is shown first and becomes modal a moment later: that gives every element of the page behind a new style, which takes a phone
 * longer than a press may.
 */
export function Dialog(props: DialogProps) {
  const { isOpen } = props
  // It is rendered a little longer than it is open, until its exit animation ends.
  const [isShown, setShown] = useState(isOpen)
  if (isOpen && !isShown) setShown(true)
  return isShown ? createPortal(<ShownDialog {...props} onLeft={() => setShown(false)} />, document.body) : null
}

function ShownDialog(props: DialogProps & { onLeft: () => void }) {
  const { isOpen, onClose, onGone, onLeft, title, aside, footer, world, closeButton = true, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // It closes before the element is removed, because only then does closing return the focus.
  useLayoutEffect(() => {
    const { current } = dialog
    if (current === null) return
    current.open = true
    const cancel = afterPaint(() => {
      current.open = false
      current.showModal()
      const first = current.querySelector<HTMLElement>('[data-first-focus]') ?? current
      first.focus() // otherwise the first button would get it
    })
    return () => {
      cancel()
      current.close()
    }
  }, [])

  const left = useEffectEvent(onLeft)
  useEffect(() => {
    return isOpen ? undefined : afterAnimations(dialog.current, () => left())
  }, [isOpen])

  const gone = useEffectEvent(() => onGone?.())
  useEffect(() => () => gone(), [])

  const close = (event: SyntheticEvent) => {
    event.preventDefault() // its exit animation comes first
    if (isOpen) onClose()
  }
  // The area around the panel belongs to the dialog's element. A press that begins in the panel, such as selecting
  // text, does not close it.
  const closeOutside = (event: PointerEvent) => {
    if (event.target === event.currentTarget) close(event)
  }

  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      className={styles['overlay']}
      data-leaving={!isOpen || undefined}
      aria-labelledby={titleId}
      onCancel={close}
      onClose={close}
      onPointerDown={closeOutside}
    >
      <div className={styles['dialog']} data-game={world}>
        <div className={styles['head']}>
          <h2 id={titleId} className={styles['title']}>
            {title}
          </h2>
          {aside !== undefined && <span className={styles['aside']}>{aside}</span>}
          {closeButton && (
            <IconButton label="Close" icon={<CloseIcon />} onClick={onClose} className={classNames(styles['close'])} />
          )}
        </div>
        <div className={styles['body']}>{children}</div>
        {footer !== undefined && <div className={styles['foot']}>{footer}</div>}
      </div>
    </dialog>
  )
}

/**
 * Calls once the animations of an element have ended, or immediately if there are none. @returns a function that
 * cancels the call
 */
function afterAnimations(element: Element | null, call: () => void): (() => void) | undefined {
  const animations = element?.getAnimations?.({ subtree: true }) ?? []
  if (animations.length === 0) {
    call()
    return undefined
  }
  let isWanted = true
  void Promise.allSettled(animations.map(({ finished }) => finished)).then(() => {
    if (isWanted) call()
  })
  return () => {
    isWanted = false
  }
}
