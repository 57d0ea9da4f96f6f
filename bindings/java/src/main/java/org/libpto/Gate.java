// Lets one thread at a time into a context, and tells a thread that closes a handle when no
// call on another thread can still be using it.
package org.libpto;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

final class Gate {
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

  // Odd while a call runs; a call adds 2.
  private volatile int state;

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

  void enter() {
    int before = state;
    if ((before & 1) != 0 || !STATE.compareAndSet(this, before, before + 1)) {
      throw new IllegalStateException("the context is in use by another thread; make one context a thread");
    }
  }

  void leave() {
    STATE.setRelease(this, (int) STATE.getOpaque(this) + 1);
  }

  /**
   * Waits until the calls that run now are over.
   *
   * <p>A call enters its gate before it reads the addresses of its handles, a closing thread clears
   * the address before it looks at the gates: so either the call finds the handle closed, or its gate
   * is seen here.
   */
  static void awaitCalls() {
    for (Gate gate : all) {
      int seen = gate.state;
      if ((seen & 1) == 0) continue;
      for (int spins = 0; gate.state == seen; spins++) {
        if (spins < 100) {
          Thread.onSpinWait();
        } else {
          Thread.yield();
        }
      }
    }
  }
}
