export type Theme = 'light' | 'dark' | 'system';
export const themeKey = 'oneslot-theme';

/**
 * Runs before the first paint, so that no theme flashes. It also hands the page's nonce to every style element that
 * our own scripts create (stylesheets of libraries); markup from elsewhere still gets none.
 */
export const headScript = `(()=>{const n=document.currentScript.nonce,c=Document.prototype.createElement;
Document.prototype.createElement=function(t,o){const e=c.call(this,t,o);if(String(t).toLowerCase()==="style")e.nonce=n;return e};
const d=document.documentElement,m=matchMedia("(prefers-color-scheme: dark)");
const a=()=>{let t=null;try{t=localStorage.getItem("${themeKey}")}catch{t=null}d.dataset.theme=t==="dark"||t==="light"?t:m.matches?"dark":"light"};
a();m.addEventListener("change",a);addEventListener("storage",a);addEventListener("oneslot-theme",a)})()`;

export function readTheme(): Theme {
  const stored = localStorage.getItem(themeKey);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(themeKey);
  else localStorage.setItem(themeKey, theme);
  window.dispatchEvent(new Event('oneslot-theme'));
}
