/* Gives pairs of SPIR-V programs to Vulkan, for tests/bench/chips: chips_vulkan VP FP VP FP ...  What the driver counts of each pixel program
 * stands on stderr between "@@@ FP" and "@@@ end" or "@@@ bad": a line "says FRAGMENT NAME: VALUE" for each of its statistics. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { MOST = 1 << 20, SAMPLERS = 16, CONSTANTS = 2, INPUTS = 16, COLOURS = 4, SIZE = 8, ROOM = 64 };

static VkDevice device;

static bool open_device(void)
{
	VkInstance instance;
	VkPhysicalDevice chip;
	uint32_t n = 1;
	VkApplicationInfo const application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
	VkInstanceCreateInfo const asked = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
	if (vkCreateInstance(&asked, NULL, &instance) || (vkEnumeratePhysicalDevices(instance, &n, &chip) < 0) || !n)
		return false;
	VkPhysicalDeviceProperties properties;
	vkGetPhysicalDeviceProperties(chip, &properties);
	fprintf(stderr, "Vulkan, %s\n", properties.deviceName);
	float const priority = 1;
	const char *const extension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
	VkDeviceQueueCreateInfo const queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
	VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, .pipelineExecutableInfo = VK_TRUE};
	VkDeviceCreateInfo const how = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &statistics, .queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue, .enabledExtensionCount = 1, .ppEnabledExtensionNames = &extension};
	return !vkCreateDevice(chip, &how, NULL, &device);
}

static VkPipelineLayout make_layout(void)
{
	VkDescriptorSetLayoutBinding bindings[SAMPLERS + CONSTANTS];
	for (uint32_t k = 0; k < SAMPLERS + CONSTANTS; k++)
		bindings[k] = (VkDescriptorSetLayoutBinding){.binding = k, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS,
			.descriptorType = k < SAMPLERS ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
	VkDescriptorSetLayoutCreateInfo const of_set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = SAMPLERS + CONSTANTS, .pBindings = bindings};
	VkDescriptorSetLayout set = VK_NULL_HANDLE;
	VkPipelineLayout layout = VK_NULL_HANDLE;
	vkCreateDescriptorSetLayout(device, &of_set, NULL, &set);
	VkPipelineLayoutCreateInfo const of_pipeline = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set};
	vkCreatePipelineLayout(device, &of_pipeline, NULL, &layout);
	return layout;
}

static VkRenderPass make_pass(void)
{
	VkAttachmentDescription colours[COLOURS];
	VkAttachmentReference used[COLOURS];
	for (uint32_t k = 0; k < COLOURS; k++) {
		colours[k] = (VkAttachmentDescription){.format = VK_FORMAT_R8G8B8A8_UNORM, .samples = VK_SAMPLE_COUNT_1_BIT,
			.storeOp = VK_ATTACHMENT_STORE_OP_STORE, .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
		used[k] = (VkAttachmentReference){k, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
	}
	VkSubpassDescription const subpass = {.colorAttachmentCount = COLOURS, .pColorAttachments = used};
	VkRenderPassCreateInfo const how = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = COLOURS, .pAttachments = colours,
		.subpassCount = 1, .pSubpasses = &subpass};
	VkRenderPass pass = VK_NULL_HANDLE;
	vkCreateRenderPass(device, &how, NULL, &pass);
	return pass;
}

static VkPipelineShaderStageCreateInfo read_stage(const char *name, VkShaderStageFlagBits stage)
{
	static uint32_t words[MOST / sizeof(uint32_t)];
	VkPipelineShaderStageCreateInfo made = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage, .pName = "main"};
	FILE *f = fopen(name, "rb");
	if (!f)
		return made;
	VkShaderModuleCreateInfo const how = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = fread(words, 1, MOST, f), .pCode = words};
	fclose(f);
	vkCreateShaderModule(device, &how, NULL, &made.module);
	return made;
}

static VkPipeline make_pipeline(const VkPipelineShaderStageCreateInfo *stages, VkPipelineLayout layout, VkRenderPass pass)
{
	VkVertexInputAttributeDescription attributes[INPUTS];
	for (uint32_t k = 0; k < INPUTS; k++)
		attributes[k] = (VkVertexInputAttributeDescription){.location = k, .format = VK_FORMAT_R32G32B32A32_SFLOAT, .offset = k * 16};
	VkVertexInputBindingDescription const buffer = {.stride = INPUTS * 16};
	VkPipelineVertexInputStateCreateInfo const vertices = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
		.vertexBindingDescriptionCount = 1, .pVertexBindingDescriptions = &buffer, .vertexAttributeDescriptionCount = INPUTS,
		.pVertexAttributeDescriptions = attributes};
	VkPipelineInputAssemblyStateCreateInfo const triangles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
	VkViewport const port = {0, 0, SIZE, SIZE, 0, 1};
	VkRect2D const all = {.extent = {SIZE, SIZE}};
	VkPipelineViewportStateCreateInfo const view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1,
		.pViewports = &port, .scissorCount = 1, .pScissors = &all};
	VkPipelineRasterizationStateCreateInfo const fill = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
	VkPipelineMultisampleStateCreateInfo const samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
	VkPipelineColorBlendAttachmentState written[COLOURS];
	for (int k = 0; k < COLOURS; k++)
		written[k] = (VkPipelineColorBlendAttachmentState){.colorWriteMask = 0xf};
	VkPipelineColorBlendStateCreateInfo const blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
		.attachmentCount = COLOURS, .pAttachments = written};
	VkGraphicsPipelineCreateInfo const how = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR, .stageCount = 2, .pStages = stages, .pVertexInputState = &vertices,
		.pInputAssemblyState = &triangles, .pViewportState = &view, .pRasterizationState = &fill, .pMultisampleState = &samples,
		.pColorBlendState = &blend, .layout = layout, .renderPass = pass};
	VkPipeline pipeline = VK_NULL_HANDLE;
	vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &how, NULL, &pipeline);
	return pipeline;
}

static void tell_statistics(VkPipeline pipeline)
{
	PFN_vkGetPipelineExecutablePropertiesKHR const get_properties =
		(PFN_vkGetPipelineExecutablePropertiesKHR)vkGetDeviceProcAddr(device, "vkGetPipelineExecutablePropertiesKHR");
	PFN_vkGetPipelineExecutableStatisticsKHR const get_statistics =
		(PFN_vkGetPipelineExecutableStatisticsKHR)vkGetDeviceProcAddr(device, "vkGetPipelineExecutableStatisticsKHR");
	VkPipelineInfoKHR const of = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
	VkPipelineExecutablePropertiesKHR parts[ROOM];
	VkPipelineExecutableStatisticKHR statistics[ROOM];
	uint32_t n = ROOM;
	for (uint32_t k = 0; k < ROOM; k++)
		parts[k] = (VkPipelineExecutablePropertiesKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
	get_properties(device, &of, &n, parts);
	for (uint32_t part = 0; part < n; part++) {
		VkPipelineExecutableInfoKHR const which = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline, .executableIndex = part};
		uint32_t found = ROOM;
		for (uint32_t k = 0; k < ROOM; k++)
			statistics[k] = (VkPipelineExecutableStatisticKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
		get_statistics(device, &which, &found, statistics);
		for (uint32_t k = 0; k < found && parts[part].stages == VK_SHADER_STAGE_FRAGMENT_BIT; k++)
			fprintf(stderr, "says FRAGMENT %s: %llu\n", statistics[k].name, (unsigned long long)statistics[k].value.u64);
	}
}

int main(int argc, char **argv)
{
	if (!open_device()) {
		fputs("no Vulkan\n", stderr);
		return 2;
	}
	VkPipelineLayout layout = make_layout();
	VkRenderPass pass = make_pass();
	for (int k = 1; k + 1 < argc; k += 2) {
		fprintf(stderr, "@@@ %s\n", argv[k + 1]);
		VkPipelineShaderStageCreateInfo const stages[] = {read_stage(argv[k], VK_SHADER_STAGE_VERTEX_BIT),
			read_stage(argv[k + 1], VK_SHADER_STAGE_FRAGMENT_BIT)};
		VkPipeline pipeline = stages[0].module && stages[1].module ? make_pipeline(stages, layout, pass) : VK_NULL_HANDLE;
		if (pipeline)
			tell_statistics(pipeline);
		fprintf(stderr, "@@@ %s\n", pipeline ? "end" : "bad");
	}
	fflush(stderr);
	_Exit(0);
}
