package dev.rondo.topology.clients;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that another process has replaced a member of the consumer group by joining with the same
 * {@code group.instance.id}. The replaced member learns that at its next heartbeat. But usually its
 * producer is fenced first, because the transactional ids are equal, too. Streams then rejoins and
 * replaces the other process, and the two would fence each other forever.
 *
 * @param group consumer group, the {@code application.id}
 */
public record StaticMembers(Admin admin, String group) {
  private static final Logger LOG = LoggerFactory.getLogger(StaticMembers.class);

  /**
   * Fails if the group has a member with the same {@code group.instance.id} and another member id.
   * A missing group or answer does not count.
   *
   * @param member member as it was before it left; without a member id if the broker had removed it
   * @throws FencedInstanceIdException if it was replaced
   */
  void failIfReplaced(ConsumerGroupMetadata member) {
    Optional<String> instance = member.groupInstanceId();
    if (instance.isEmpty() || member.memberId().isEmpty()) {
      return;
    }
    for (MemberDescription present : members()) {
      if (present.groupInstanceId().equals(instance)
          && !present.consumerId().equals(member.memberId())) {
        throw new FencedInstanceIdException(
            "member %s of group %s was replaced by %s"
                .formatted(member.memberId(), group, present.consumerId()));
      }
    }
  }

  private Iterable<MemberDescription> members() {
    try {
      return admin.describeConsumerGroups(Set.of(group)).all().get().get(group).members();
    } catch (ExecutionException e) {
      LOG.warn("Failed to describe consumer group {}; joining it again", group, e);
      return Set.of();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
