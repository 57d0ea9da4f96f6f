/**
 * The PTO tile instruction set on any CPU.
 *
 * <p>A {@link org.libpto.Context} runs instructions on {@link org.libpto.Tile tiles}; both are closed
 * after use, or by the garbage collector. What the library refuses is a {@link org.libpto.PtoException}
 * that names the rule and the remedy.
 */
package org.libpto;
