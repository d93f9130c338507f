"""Trees whose nodes keep views of the rows of an array, put there by recursive methods."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

POINTS = np.array([[0.5, 0.7], [0.6, 0.2], [0.4, 0.6], [0.3, 0.9], [0.9, 0.4]])
CASES = (case(POINTS), case(POINTS[::-1].copy()))


class Chain:
    def __init__(self):
        self.point, self.next = None, [None]

    def insert(self, point):
        if self.point is None:
            self.point = point
            return
        if self.next[0] is None:
            self.next[0] = Chain()
        self.next[0].insert(point)


class Node:
    def __init__(self, point, axis):
        self.point, self.axis, self.left, self.right = point, axis, None, None

    def insert(self, point):
        if point[self.axis] < self.point[self.axis]:
            if self.left is None:
                self.left = Node(point, 1 - self.axis)
            else:
                self.left.insert(point)
        elif self.right is None:
            self.right = Node(point, 1 - self.axis)
        else:
            self.right.insert(point)

    def nearest(self, goal, best, distance):
        found = np.sum((self.point - goal) ** 2)
        if found < distance:
            best, distance = self.point, found
        apart = goal[self.axis] - self.point[self.axis]
        near, far = (self.left, self.right) if apart < 0 else (self.right, self.left)
        if near is not None:
            best, distance = near.nearest(goal, best, distance)
        if far is not None and apart**2 < distance:
            best, distance = far.nearest(goal, best, distance)
        return best, distance


@program(*CASES, compiled=True)
def kept_rows(points):
    chain = Chain()
    for point in points:
        chain.insert(point)
    return chain.next[0].point, chain.point


@program(*CASES)
def nearest_of_a_tree(points):
    tree = Node(points[0], 0)
    for point in points[1:]:
        tree.insert(point)
    return tree.nearest(np.array([0.5, 0.5]), None, np.inf)


@program(*CASES)
def rows_changed_when_kept(points):
    chain = Chain()
    for point in points:
        chain.insert(point)
        point += 1
    points[1] *= 2
    chain.next[0].point[0] = 5.0
    return chain.next[0].point, points


@program(*CASES)
def rows_of_an_own_array(points):
    own = points * 1
    chain = Chain()
    for point in own:
        chain.insert(point)
        own[1] += 1
    chain.next[0].point[0] = 9
    own[0] += 7
    return chain.next[0].point, chain.point, own


@program(*CASES)
def views_and_new_arrays(points):
    chain = Chain()
    for point in points:
        chain.insert(point if point[0] > 0.5 else point * 2)
    points += 1
    return chain.next[0].point, chain.next[0].next[0].point, points


@program(*CASES)
def changed_under_its_own_name(points):
    chain = Chain()
    for point in points:
        kept = point if point[0] > 0.5 else point * 2
        chain.insert(kept)
        kept += 1
    return chain.next[0].point, points


@program(*CASES)
def views_that_run_backwards(points):
    chain = Chain()
    for point in points:
        chain.insert(point[::-1])
    points += 1
    return chain.next[0].point, points
