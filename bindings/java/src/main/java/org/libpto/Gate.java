// Lets one thread at a time into a context, and informs a thread that closes or changes a handle when no
// call on another thread can still be using it.
package org.libpto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

final class Gate {
  // The state modulo 4; each call adds 4.
  private static final int PHASE = 3;
  private static final int IDLE = 0;
  private static final int BEGINS = 1;
  private static final int RUNS = 2;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Gate.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // The gates of all contexts that live, replaced and never changed.
  private static volatile Gate[] all = {};

  /** Of the short calls that may come while another one uses the same object; one at a time, by its monitor. */
  static final Gate BESIDE = create();

  private volatile int state;
  // The addresses of what the call uses, inverted for operands, complete once it runs. References would keep handles alive.
  private long[] used = new long[8];
  private int count;

  static Gate create() {
    Gate gate = new Gate();
    synchronized (Gate.class) {
      List<Gate> gates = new ArrayList<>(List.of(all));
      gates.add(gate);
      all = gates.toArray(new Gate[0]);
    }
    return gate;
  }

  static void forget(Gate gate) {
    synchronized (Gate.class) {
      List<Gate> gates = new ArrayList<>(List.of(all));
      gates.remove(gate);
      all = gates.toArray(new Gate[0]);
    }
  }

  /**
   * Begins a call, which then reports what it uses, and that it runs:
   *
   * <pre>do gate.begin(); while (!(gate.uses(a) && gate.uses(b) && gate.runs()));</pre>
   */
  void begin() {
    int before = state;
    if ((before & PHASE) != IDLE || !STATE.compareAndSet(this, before, before + BEGINS)) {
      throw new IllegalStateException("the context is in use by another thread; create one context per thread");
    }
    count = 0;
  }

  /** Returns false where another call changes the handle: this one is over, and that one too, so it may begin anew. */
  boolean uses(Handle handle) {
    return handle == null || uses(handle, false);
  }

  /** Does what uses does, for it and for what it was given. */
  boolean reaches(Keeper handle) {
    if (!uses(handle, false)) return false;
    List<Elements> operands = handle.operands;
    for (int i = 0; i < operands.size(); i++) {
      Handle operand = operands.get(i);
      if (operand != null && !uses(operand, true)) return false;
    }
    return true;
  }

  // The owner of an operand keeps its elements: it may be closed, and no call changes it then.
  private boolean uses(Handle handle, boolean operand) {
    long address = handle.open();
    if (address == 0 && operand) return true;
    if (address != 0 && !handle.changedByAnother()) {
      if (count == used.length) used = Arrays.copyOf(used, 2 * count);
      used[count++] = operand ? ~address : address;
      return true;
    }
    leave();
    if (address == 0) throw Handle.closed(handle);
    for (int spins = 0; handle.changedByAnother(); spins++) pause(spins);
    return false;
  }

  boolean runs() {
    STATE.setRelease(this, (int) STATE.getOpaque(this) + (RUNS - BEGINS));
    return true;
  }

  void leave() {
    STATE.setRelease(this, ((int) STATE.getOpaque(this) | PHASE) + 1);
  }

  private boolean names(long address, boolean asOperand) {
    long[] names = used;
    for (int i = Math.min(count, names.length) - 1; i >= 0; i--) {
      if (names[i] == address || asOperand && names[i] == ~address) return true;
    }
    return false;
  }

  /**
   * Waits until the calls that use the handle of this address now are over. Calls with other handles continue, and
   * so do calls that use it as an operand, unless asked to wait.
   *
   * <p>A call begins before it looks at its handles; a thread that closes or changes one marks it before it
   * looks at the gates: so either the call finds the mark, or what it uses is seen here. While a call begins it
   * waits for nothing. What is read of one that ends meanwhile does not matter.
   */
  static void awaitCalls(long address, boolean asOperand) {
    for (Gate gate : all) {
      int seen = gate.state;
      for (int spins = 0; (seen & PHASE) == BEGINS; seen = gate.state) pause(spins++);
      if ((seen & PHASE) != RUNS || !gate.names(address, asOperand)) continue;
      for (int spins = 0; gate.state == seen; spins++) pause(spins);
    }
  }

  static void pause(int spins) {
    if (spins < 100) {
      Thread.onSpinWait();
    } else if (spins < 1000) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(100_000);
    }
  }
}
