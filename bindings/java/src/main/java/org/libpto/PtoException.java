package org.libpto;

import java.nio.charset.StandardCharsets;

/** A call that the library refused. Nothing was changed by it. */
public final class PtoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The number of the status. */
  private final int code;

  /** Id of the rule. */
  private final String rule;

  /** Name of the operand at fault. */
  private final String operand;

  /** How to fix the call. */
  private final String remedy;

  // Called by the native code.
  PtoException(int code, byte[] message, byte[] rule, byte[] operand, byte[] remedy) {
    super(Words.inJava(text(message)));
    this.code = code;
    this.rule = text(rule);
    this.operand = text(operand);
    this.remedy = Words.inJava(text(remedy));
  }

  PtoException(Status status, String message, String operand, String remedy) {
    super(message);
    this.code = status.value();
    this.rule = "";
    this.operand = operand;
    this.remedy = remedy;
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /**
   * Returns the category of the error.
   *
   * @return the category, or UNRECOGNIZED if the library is newer than these classes
   */
  public Status status() {
    return Status.of(code);
  }

  /**
   * Returns the number of the status, also where {@link #status} does not know it.
   *
   * @return the number
   */
  public int statusCode() {
    return code;
  }

  /**
   * Returns the id of the rule that was broken, such as "valid-equal".
   *
   * @return an id of docs/rules.md; "" where no context was there to judge
   */
  public String rule() {
    return rule;
  }

  /**
   * Returns the name of the operand or parameter at fault.
   *
   * @return the name as in C, such as "exp"; "" if the error has no operand
   */
  public String operand() {
    return operand;
  }

  /**
   * Returns how to fix the call.
   *
   * @return one sentence
   */
  public String remedy() {
    return remedy;
  }

  /**
   * Returns the message with the rule and the remedy, which is what a stack trace shows.
   *
   * @return one line
   */
  @Override
  public String toString() {
    return super.toString() + (rule.isEmpty() ? "" : " [" + rule + "]") + " " + remedy;
  }
}
