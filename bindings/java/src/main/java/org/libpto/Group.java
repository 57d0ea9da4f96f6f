package org.libpto;

import java.util.ArrayList;
import java.util.List;

/** One tensor of each rank that takes part in a collective instruction, which the root's rank calls. */
public final class Group extends GroupCalls {
  private static final class Free extends Release {
    final List<Tensor> members = new ArrayList<>(); // whose buffers must live

    Free(long address) {
      super(address);
    }

    @Override
    public void run() {
      Pto.groupFree(address);
    }
  }

  private final List<Tensor> members;

  /**
   * Makes a group.
   *
   * @param ctx the context that judges
   * @param root which member is the root's
   * @param tensors the tensor of each rank
   * @throws PtoException if a rule is broken: group, comm-dtype, memory
   */
  public Group(Context ctx, int root, Tensor... tensors) {
    this(new Free(Pto.groupMake(ctx, root)));
    for (Tensor tensor : tensors) add(ctx, tensor);
  }

  private Group(Free free) {
    super(free);
    this.members = free.members;
  }

  // A handle that the library returned.
  static Group own(long address) {
    return new Group(new Free(address));
  }

  @Override
  public synchronized void add(Context ctx, Tensor tensor) {
    super.add(ctx, tensor);
    members.add(tensor);
  }

  @Override
  String tells() {
    return size() + " members, the root is " + root();
  }
}
