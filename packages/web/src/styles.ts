/** The styles every page needs, in the order of their layers. */
import './ui/tokens.css'
import './ui/base.css'
import './ui/fonts.css'
