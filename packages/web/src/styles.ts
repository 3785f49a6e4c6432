/** The styles every page needs, in the order of their layers. */
import '@fairball/ui/tokens.css'
import '@fairball/ui/base.css'
import '@fairball/ui/fonts.css'
