// The default theme with the fonts of the reader's system, so that the site serves none.
import theme from 'vitepress/theme-without-fonts';
import './contrast.css';

export default theme;
