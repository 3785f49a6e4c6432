/**
 * Counts down to the draw, and asks for the page again once the draw is over. The page may be a minute old, or two by
 * way of a cache: a clock that differs by less is taken to be right, which a computer's usually is.
 */
export const WIDGET_SCRIPT = `(()=>{
const e=document.getElementById('left');if(!e)return;
const {at,end,now}=e.dataset;
let ahead=now-Date.now()/1000;if(Math.abs(ahead)<180)ahead=0;
const asks=+end+15+Math.random()*30;
const two=(n)=>String(n).padStart(2,'0');
let timer;
const show=()=>{
const t=Date.now()/1000+ahead;
const s=Math.ceil(at-t);
if(t>asks){clearInterval(timer);location.reload();return}
if(s<=0){e.textContent='The draw is on';return}
const d=Math.floor(s/86400),h=Math.floor(s/3600)%24,m=Math.floor(s/60)%60;
e.textContent='Next draw in '+(d>0?d+(d===1?' day ':' days ')+h+' h':h>0?h+' h '+two(m)+' min':two(m)+':'+two(s%60));
};
show();timer=setInterval(show,1000);
})()`
