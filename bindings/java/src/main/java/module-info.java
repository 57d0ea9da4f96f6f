/** The PTO tile instruction set on any CPU. */
module org.libpto {
  exports org.libpto;
}
