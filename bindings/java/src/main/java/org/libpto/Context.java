package org.libpto;

/**
 * A profile, a SIMD target and on-chip memory; its methods are the instructions.
 *
 * <p>One thread at a time uses a context: a call while another runs throws IllegalStateException.
 * Create one context per thread; contexts are small. Tiles are not tied to a context.
 */
public final class Context extends ContextCalls {
  private static final class Free extends Release {
    private final Gate gate;

    Free(long address, Gate gate) {
      super(address);
      this.gate = gate;
    }

    @Override
    public void run() {
      Gate.forget(gate);
      Pto.contextFree(address);
    }
  }

  private final Gate gate;

  /** Makes a context of {@link Profile#CPU} that runs on the best SIMD target of this machine. */
  public Context() {
    this(Profile.CPU);
  }

  /**
   * Makes a context that runs on the best SIMD target of this machine, or the one that the environment
   * variable PTO_TARGET names.
   *
   * @param profile whose rules apply
   */
  public Context(Profile profile) {
    this(new Free(make(profile, null), Gate.create()));
  }

  /**
   * Makes a context that runs on a SIMD target chosen by name. Results are the same bits on every target.
   *
   * @param profile whose rules apply
   * @param target one of {@link Pto#targetName}
   * @throws PtoException if this machine or the library has no such target
   */
  public Context(Profile profile, String target) {
    this(new Free(make(profile, java.util.Objects.requireNonNull(target, "target")), Gate.create()));
  }

  // Of a rank.
  static Context of(long address) {
    return new Context(new Free(address, Gate.create()));
  }

  private Context(Free free) {
    super(free);
    this.gate = free.gate;
  }

  // The library has no context yet in which it could keep a message.
  private static long make(Profile profile, String target) {
    long address = Pto.contextMake(profile, target);
    if (address != 0) return address;
    if (profile == Profile.UNRECOGNIZED) {
      throw new PtoException(Status.ARGUMENT, "pto_context_create: profile is UNRECOGNIZED", "profile", "Use another value of Profile.");
    }
    StringBuilder known = new StringBuilder();
    for (int i = 0; i < Pto.targetCount(); i++) {
      if (!Pto.targetSupported(i)) continue;
      if (Pto.targetName(i).equals(target)) target = null;
      known.append(known.length() == 0 ? "" : ", ").append(Pto.targetName(i));
    }
    if (target == null) {
      throw new PtoException(Status.MEMORY, "pto_context_create: no memory for a context", "", "Release tiles and contexts, then call again.");
    }
    throw new PtoException(Status.UNKNOWN, "pto_context_create: target is \"" + target + "\" where this machine has " + known,
        "target", "Use a name that Pto.targetName returns and Pto.targetSupported confirms.");
  }

  @Override
  Gate gate() {
    return gate;
  }

  @Override
  void leave() {
    gate.leave();
    java.lang.ref.Reference.reachabilityFence(this);
  }

  @Override
  String tells() {
    return profile() + " on " + target();
  }
}
