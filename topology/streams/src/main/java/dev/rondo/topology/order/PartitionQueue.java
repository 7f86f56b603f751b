package dev.rondo.topology.order;

/** The buffered points of one series and one source partition, in the order of the partition. */
final class PartitionQueue {
  final SourcePartition source;

  /** Queue of the same series for another source partition; null for the last one. */
  PartitionQueue next;

  /** The first point; null if the queue is empty. */
  BufferedPoint head;

  private BufferedPoint tail;

  PartitionQueue(SourcePartition source, PartitionQueue next) {
    this.source = source;
    this.next = next;
  }

  void add(BufferedPoint point) {
    if (head == null) {
      head = point;
    } else {
      tail.next = point;
    }
    tail = point;
  }

  BufferedPoint remove() {
    BufferedPoint first = head;
    head = first.next;
    return first;
  }
}
