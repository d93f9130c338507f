"""Deques, stacks, queues and heaps in staged loops."""

from __future__ import annotations

import heapq
import operator
from collections import deque

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
COUNTS = (case(t(9)), case(t(4)), case(t(0)))


@program(*COUNTS)
def methods_of_a_deque(n):
    items = deque()
    for i in range(n):
        items.append(i)
        if i % 2:
            items.appendleft(-i)
    items.rotate(2)
    items.extend([100, 101])
    items.extendleft([200, 201])
    first, last = items.popleft(), items.pop()
    items.reverse()
    items.insert(1, 7)
    return items, first, last, len(items), items[0], items[-1], 4 in items, list(items)


@program(*COUNTS)
def a_deque_of_limited_length(n):
    items = deque(maxlen=3)
    for i in range(n):
        items.append(i)
    items.appendleft(50)
    other = deque(range(n), 2)
    return items, len(items), list(other), items.maxlen, items.copy()


@program(*COUNTS)
def an_empty_deque(n):
    items = deque([1])
    for _ in range(n):
        items.popleft()
    return items


@program(case(t(3)), case(t(-2)), case(t(0)))
def rotated_by_a_staged_number(n):
    items = deque([1, 2, 3, 4, 5])
    items.rotate(int(n))
    return list(items), items.index(3), items.count(9)


@program(*COUNTS)
def a_deque_changes_while_it_is_walked_over(n):
    items = deque(range(n))
    for item in items:
        items.append(item)
    return items


@program(*COUNTS)
def a_stack_of_pairs(n):
    stack, total = [(int(n), 0)], 0
    while stack:
        k, depth = stack.pop()
        total += depth
        if k > 1:
            stack.append((k // 2, depth + 1))
            stack.append((k - k // 2 - 1, depth + 1))
    return total


@program(case(t(12)), case(t(1)), case(t(7)))
def collatz_with_a_queue(n):
    queue, seen = deque([int(n)]), []
    while queue:
        k = queue.popleft()
        seen.append(k)
        if k != 1:
            queue.append(k // 2 if k % 2 == 0 else 3 * k + 1)
    return seen


@program(case(t([[1, 2], [3, 4], [4, 4], [4, 4], [4, 4]]), t(0)))
def breadth_first_search(edges, start):
    distance = [-1] * 5
    distance[int(start)] = 0
    queue = deque([int(start)])
    while queue:
        node = queue.popleft()
        for other in edges[node]:
            if distance[int(other)] < 0:
                distance[int(other)] = distance[node] + 1
                queue.append(int(other))
    return distance


@program(case(t([[0, 1, 0], [1, 0, 1], [0, 1, 0]])), case(t([[0, 0, 0], [0, 0, 1], [0, 1, 0]])))
def connected_components(adjacent):
    seen, components = set(), 0
    for first in range(3):
        if first in seen:
            continue
        components += 1
        stack = [first]
        while stack:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                for other in range(3):
                    if adjacent[node, other] > 0:
                        stack.append(other)
    return components, len(seen)


@program(*COUNTS)
def a_heap_of_numbers(n):
    heap = []
    for i in range(n):
        heapq.heappush(heap, (i * 7) % 11)
    out = []
    while heap:
        out.append(heapq.heappop(heap))
    return out


@program(*COUNTS, slow=True)
def a_heap_of_pairs(n):
    heap = [(int(n), "a"), (3, "b"), (1, "c")]
    heapq.heapify(heap)
    first = heapq.heappop(heap)
    second = heapq.heappushpop(heap, (0, "d"))
    third = heapq.heapreplace(heap, (9, "e"))
    return first, second, third, heap, heapq.nsmallest(2, heap), heapq.nlargest(1, heap)


@program(case(t(2.0)), case(t(0.5)))
def dijkstra(scale):
    weights = [[0, 1, 4, 0], [0, 0, 2, 6], [0, 0, 0, 3], [0, 0, 0, 0]]
    distance = [0.0, 100.0, 100.0, 100.0]
    heap, k = [(0.0, 0)], float(scale)
    while heap:
        here, node = heapq.heappop(heap)
        if here > distance[node]:
            continue
        for other in range(4):
            if weights[node][other] > 0:
                there = here + weights[node][other] * k
                if there < distance[other]:
                    distance[other] = there
                    heapq.heappush(heap, (there, other))
    return distance


@program(case(t(3)), case(t(0)))
def an_empty_heap(n):
    heap = [2, 1]
    for _ in range(n):
        heapq.heappop(heap)
    return heap


@program(case(t([4.0, 2.0, 9.0]), t(3)), case(t([4.0, 2.0, 9.0]), t(1)))
def gradient_through_a_queue(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        queue, total = deque([x[0], x[1] * x[2]]), x[0] * 0.0
        for i in range(n):
            item = queue.popleft()
            total = total + item * i
            queue.append(item * x[1])
        total = total + queue[0] + queue[-1]
    return total, tape.gradient(total, x)


@program(case(t([3.0, 5.0, 2.0]), t(4)))
def gradient_through_a_stack(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        stack = [(int(n), x[0])]
        total = x[1] * 0.0
        while stack:
            k, value = stack.pop()
            if k <= 1:
                total = total + value * value
            else:
                stack.append((k - 1, value * x[1]))
                stack.append((k - 2, value + x[2]))
    return total, tape.gradient(total, x)


@program(case(t([3, -1, 0, 2, -2, -2, 0])), case(t([1])))
def balanced(x):
    stack = []
    for value in x:
        if value > 0:
            stack.append(int(value))
        elif value < 0:
            if not stack or stack.pop() != -int(value):
                return False
    return len(stack) == 0


@program(case(t([2, 1, 5, 6, 2, 3])), case(t([1, 1])))
def next_greater(x):
    answer, stack = [-1] * len(x), []
    for place in range(len(x)):
        while stack and x[stack[-1]] < x[place]:
            answer[stack.pop()] = place
        stack.append(place)
    return answer


@program(case(t(1.0), t(2)), case(t(4.0), t(0)), case(t(0.5), t(3)))
def put_in_place_while_gone_over(x, n):
    queue = deque([x, x * 2])
    for value in queue:
        for k in range(n):
            if value > k:
                queue[0] = value * 3
                queue[-1] += 1
    return queue, len(queue)


@program(case(np.array([3, 1, 2, 1])), case(np.array([2, 0, 1])))
def words_of_merged_groups(counts):
    groups = [[int(count), [i, ""]] for i, count in enumerate(counts) if count > 0]
    if groups[1] < groups[0]:
        groups[0], groups[1] = groups[1], groups[0]
    while len(groups) > 1:
        low, high = groups.pop(), groups.pop()
        for pair in low[1:]:
            pair[1] = "0" + pair[1]
        groups.append([low[0] + high[0]] + low[1:] + high[1:])
    return groups


@program(case(t(1.0)), case(t(-1.0)))
def operators_as_functions(x):
    mixed = 1 if x > 0 else "a"
    items = [mixed, 2]
    same = items
    operator.iadd(items, [3])
    operator.iconcat(items, [4])
    tests = operator.is_(items, same), operator.contains(items, "a"), operator.eq(same, [mixed])
    return items, same, tests, operator.countOf(items, 2), operator.add((mixed,), (2,))


@program(case(t(1.5), t(0)), case(t(1.5), t(1)), case(t(1.5), t(3)))
def made_of_one_with_two_names(x, n):
    copied = whole = deque([x + 1.0, 2.0])
    for _ in range(n):
        copied = deque(whole)
        whole = copied
    return copied, len(whole), whole[0] + 1.0
