// What reaches tiles and tensors that it was given in earlier calls: an instruction, a program. As long as
// one of its calls runs, no other call may change them.
package org.libpto;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

abstract class Keeper extends Handle {
  abstract static class Free extends Release {
    // Through them the memory of buffers lives as long as the native object.
    final List<Elements> operands = new ArrayList<>();

    Free(long address) {
      super(address);
    }
  }

  // Used and changed by synchronized methods.
  final List<Elements> operands;
  private final Map<Object, Integer> places = new HashMap<>();

  Keeper(Free free) {
    super(free);
    this.operands = free.operands;
  }

  /** Replaces what was given under a key: an index, or the name of an argument. */
  void keep(Object key, Elements elements) {
    Integer place = places.putIfAbsent(key, operands.size());
    if (place == null) {
      operands.add(elements);
    } else {
      operands.set(place, elements);
    }
  }
}
